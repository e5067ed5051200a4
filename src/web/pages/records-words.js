// What the pages say of runs and this machine, in five languages.

import { add } from './words.js';

add({
  en: {
    pictureThen: 'The picture then', pictureOf: 'The board at {1} s: {0}', exportRun: 'Export run {0}', replayFrom: 'Replay from here',
    replaying: 'It runs again …', sameAgain: 'The same again: {0} frames, {1} s.', goesOtherwise: 'It goes otherwise: {0} frames, {1} s.',
    machine: 'Machine', devices: 'Devices', doctor: 'What works here', examine: 'Look again', settings: 'Settings', logTitle: 'Log', levelFrom: 'From level',
    screenName: 'Screen', cameraName: 'Camera', portName: 'Serial port', noDevices: 'No screen, camera or serial port is found.', examining: 'Looking …',
    nothingFailed: 'Nothing has failed.', failed: { one: '{0} thing has failed.', other: '{0} things have failed.' },
    'level-ok': 'works', 'level-warn': 'warning', 'level-fail': 'fails', restart: 'needs a restart', inFile: 'only in the file',
    'from-environment': 'set by the environment', 'from-command-line': 'set on the command line', kept: 'Saved; sessions that begin now have it.',
    keptRestart: 'Saved; a part of it needs a restart.', gamesChart: 'Moves of each game', gamesOf: '{0} games: won {1}, lost {2}; moves {3} on average',
  },
  ru: {
    pictureThen: 'Кадр в тот момент', pictureOf: 'Доска на {1} с: {0}', exportRun: 'Выгрузить запуск {0}', replayFrom: 'Повторить отсюда',
    replaying: 'Идёт повтор…', sameAgain: 'Снова то же самое: кадров {0}, {1} с.', goesOtherwise: 'Идёт иначе: кадров {0}, {1} с.',
    machine: 'Машина', devices: 'Устройства', doctor: 'Что здесь работает', examine: 'Проверить снова', settings: 'Настройки', logTitle: 'Журнал работы', levelFrom: 'Начиная с уровня',
    screenName: 'Экран', cameraName: 'Камера', portName: 'Порт', noDevices: 'Нет ни экрана, ни камеры, ни порта.', examining: 'Проверяется…',
    nothingFailed: 'Всё работает.', failed: { one: 'Не работает: {0}.', few: 'Не работают: {0}.', many: 'Не работают: {0}.', other: 'Не работают: {0}.' },
    'level-ok': 'работает', 'level-warn': 'внимание', 'level-fail': 'не работает', restart: 'нужен перезапуск', inFile: 'только в файле',
    'from-environment': 'задано окружением', 'from-command-line': 'задано в командной строке', kept: 'Сохранено; действует для новых сеансов.',
    keptRestart: 'Сохранено; часть вступит в силу после перезапуска.', gamesChart: 'Ходов в каждой игре', gamesOf: 'Игр {0}: выиграно {1}, проиграно {2}; ходов в среднем {3}',
  },
  fr: {
    pictureThen: 'L’image à ce moment', pictureOf: 'Le plateau à {1} s : {0}', exportRun: 'Exporter l’exécution {0}', replayFrom: 'Rejouer à partir d’ici',
    replaying: 'Rejeu en cours…', sameAgain: 'Identique : {0} images, {1} s.', goesOtherwise: 'Cela se passe autrement : {0} images, {1} s.',
    machine: 'Machine', devices: 'Appareils', doctor: 'Ce qui marche ici', examine: 'Vérifier encore', settings: 'Réglages', logTitle: 'Journal', levelFrom: 'À partir du niveau',
    screenName: 'Écran', cameraName: 'Caméra', portName: 'Port série', noDevices: 'Ni écran, ni caméra, ni port série.', examining: 'Vérification…',
    nothingFailed: 'Rien n’a échoué.', failed: { one: '{0} échec.', other: '{0} échecs.' },
    'level-ok': 'marche', 'level-warn': 'attention', 'level-fail': 'échoue', restart: 'redémarrage nécessaire', inFile: 'seulement dans le fichier',
    'from-environment': 'fixé par l’environnement', 'from-command-line': 'fixé en ligne de commande', kept: 'Enregistré ; valable pour les sessions à venir.',
    keptRestart: 'Enregistré ; une partie demande un redémarrage.', gamesChart: 'Coups de chaque partie', gamesOf: '{0} parties : gagnées {1}, perdues {2} ; {3} coups en moyenne',
  },
  de: {
    pictureThen: 'Das Bild in diesem Moment', pictureOf: 'Das Brett bei {1} s: {0}', exportRun: 'Lauf {0} exportieren', replayFrom: 'Von hier an wiederholen',
    replaying: 'Es läuft noch einmal …', sameAgain: 'Wieder dasselbe: {0} Bilder, {1} s.', goesOtherwise: 'Es geht anders: {0} Bilder, {1} s.',
    machine: 'Maschine', devices: 'Geräte', doctor: 'Was hier funktioniert', examine: 'Neu prüfen', settings: 'Einstellungen', logTitle: 'Protokoll', levelFrom: 'Ab Stufe',
    screenName: 'Bildschirm', cameraName: 'Kamera', portName: 'Serielle Schnittstelle', noDevices: 'Weder Bildschirm noch Kamera noch Schnittstelle gefunden.', examining: 'Wird geprüft …',
    nothingFailed: 'Nichts ist fehlgeschlagen.', failed: { one: '{0} Fehler.', other: '{0} Fehler.' },
    'level-ok': 'geht', 'level-warn': 'Warnung', 'level-fail': 'geht nicht', restart: 'braucht Neustart', inFile: 'nur in der Datei',
    'from-environment': 'von der Umgebung gesetzt', 'from-command-line': 'auf der Befehlszeile gesetzt', kept: 'Gespeichert; gilt für neue Sitzungen.',
    keptRestart: 'Gespeichert; ein Teil braucht einen Neustart.', gamesChart: 'Züge jedes Spiels', gamesOf: '{0} Spiele: gewonnen {1}, verloren {2}; im Mittel {3} Züge',
  },
  zh: {
    pictureThen: '当时的画面', pictureOf: '{1} 秒时的棋盘：{0}', exportRun: '导出运行 {0}', replayFrom: '从这里重放',
    replaying: '正在重放…', sameAgain: '结果相同：{0} 帧，{1} 秒。', goesOtherwise: '结果不同：{0} 帧，{1} 秒。',
    machine: '本机', devices: '设备', doctor: '运行状况', examine: '重新检查', settings: '设置', logTitle: '日志', levelFrom: '最低级别',
    screenName: '屏幕', cameraName: '摄像头', portName: '串口', noDevices: '没有找到屏幕、摄像头或串口。', examining: '正在检查…',
    nothingFailed: '没有失败项。', failed: { other: '{0} 项失败。' },
    'level-ok': '正常', 'level-warn': '警告', 'level-fail': '失败', restart: '需要重启', inFile: '只能在文件中修改',
    'from-environment': '由环境变量设定', 'from-command-line': '由命令行设定', kept: '已保存；对新会话生效。',
    keptRestart: '已保存；部分设置需要重启。', gamesChart: '每局步数', gamesOf: '{0} 局：胜 {1}，负 {2}；平均 {3} 步',
  },
});
