// Everything the page says, in five languages; and numbers and times as each of them writes them.

const WORDS = {
  en: {
    own: 'English', language: 'Language', levels: 'Levels', code: 'Code', solvers: 'Solvers', help: 'Help',
    again: 'Start over', close: 'Close', copy: 'Copy', copied: 'Copied.', open: 'Open', keep: 'Keep', level: 'Level',
    number: 'Level {0} of {1}', fill: 'Fill the rectangle with all figures.',
    solved: 'Level {0} solved in {1}.', last: 'All levels are solved. Well done!',
    saved: 'Progress saved {0}.', unsaved: 'This browser keeps no progress: write down the code.',
    codeAbout: 'This code opens this level in any other browser.', codeOther: 'A code from elsewhere',
    codeWrong: 'This code opens no level: look at it once more.',
    name: 'Your name', nameAbout: 'With a name, your solutions count here from now on.',
    solversNone: 'Nobody has solved a level here yet.', solversLost: 'The server does not answer.',
    first: 'First', times: 'Solved', fastest: 'Fastest', median: 'Median', mean: 'Mean',
    target: 'Rectangle, {0} by {1} squares; {2} free', figure: 'Figure of {0}: {1}', turns: 'it can be turned',
    loose: 'loose', lies: 'lies at column {0}, row {1}', held: 'Held at column {0}, row {1}: {2}.',
    fits: 'it fits', covered: 'it does not fit', laid: 'Laid down.', back: 'Back beside the rectangle.', turned: 'Turned: {0}.',
    row: 'row {0}', done: 'solved {0} in {1}', opened: 'open',
    helpAim: 'Drag the figures into the rectangle until they fill it. There is exactly one way. Figures keep their direction; only the one with the circle can be turned: tap it.',
    helpMouse: 'Mouse or finger: drag a figure into the rectangle, or out of it again. Where it does not fit it goes back.',
    helpKeys: 'Keyboard: Tab or arrows choose a figure, Enter takes it, arrows move it, Enter lays it down, R turns it, Escape lets go, Delete takes it out of the rectangle.',
    helpCodes: 'Every next level is sealed by the solution of the one before. Progress is kept in this browser; a code carries it elsewhere.',
    squares: { one: '{0} square', other: '{0} squares' },
    seconds: { one: '{0} second', other: '{0} seconds' },
    sum: { one: '{0} level solved', other: '{0} levels solved' },
  },
  ru: {
    own: 'Русский', language: 'Язык', levels: 'Уровни', code: 'Код', solvers: 'Кто решил', help: 'Правила',
    again: 'Начать сначала', close: 'Закрыть', copy: 'Скопировать', copied: 'Скопировано.', open: 'Открыть', keep: 'Запомнить', level: 'Уровень',
    number: 'Уровень {0} из {1}', fill: 'Заполните прямоугольник всеми фигурами.',
    solved: 'Уровень {0} решён за {1}.', last: 'Все уровни решены. Поздравляем!',
    saved: 'Сохранено {0}.', unsaved: 'Этот браузер ничего не сохраняет: запишите код.',
    codeAbout: 'Этот код открывает этот уровень в любом другом браузере.', codeOther: 'Код, записанный раньше',
    codeWrong: 'Этот код не открывает ни одного уровня: проверьте его.',
    name: 'Ваше имя', nameAbout: 'Если указать имя, ваши решения отныне учитываются здесь.',
    solversNone: 'Здесь ещё никто не решил ни одного уровня.', solversLost: 'Сервер не отвечает.',
    first: 'Первым решил', times: 'Решений', fastest: 'Лучшее время', median: 'Медиана', mean: 'Среднее',
    target: 'Прямоугольник {0} на {1}; свободно: {2}', figure: 'Фигура, {0}: {1}', turns: 'её можно поворачивать',
    loose: 'лежит рядом', lies: 'лежит в столбце {0}, строке {1}', held: 'В столбце {0}, строке {1}: {2}.',
    fits: 'помещается', covered: 'не помещается', laid: 'Положена.', back: 'Снова рядом с прямоугольником.', turned: 'Повёрнута: {0}.',
    row: 'строка {0}', done: 'решён {0} за {1}', opened: 'открыт',
    helpAim: 'Перетаскивайте фигуры в прямоугольник, пока он не заполнится. Решение ровно одно. Фигуры не поворачиваются, кроме одной, с кружком: коснитесь её.',
    helpMouse: 'Мышь или палец: перетащите фигуру в прямоугольник или обратно. Если она не помещается, то возвращается на место.',
    helpKeys: 'Клавиатура: Tab или стрелки выбирают фигуру, Enter берёт её, стрелки двигают, Enter кладёт, R поворачивает, Escape отпускает, Delete убирает из прямоугольника.',
    helpCodes: 'Каждый следующий уровень зашифрован решением предыдущего. Прогресс хранится в этом браузере; код переносит его в другой.',
    squares: { one: '{0} клетка', few: '{0} клетки', many: '{0} клеток', other: '{0} клетки' },
    seconds: { one: '{0} секунду', few: '{0} секунды', many: '{0} секунд', other: '{0} секунды' },
    sum: { one: 'решён {0} уровень', few: 'решено {0} уровня', many: 'решено {0} уровней', other: 'решено {0} уровня' },
  },
  fr: {
    own: 'Français', language: 'Langue', levels: 'Niveaux', code: 'Code', solvers: 'Gagnants', help: 'Aide',
    again: 'Recommencer', close: 'Fermer', copy: 'Copier', copied: 'Copié.', open: 'Ouvrir', keep: 'Garder', level: 'Niveau',
    number: 'Niveau {0} sur {1}', fill: 'Remplissez le rectangle avec toutes les figures.',
    solved: 'Niveau {0} résolu en {1}.', last: 'Tous les niveaux sont résolus. Bravo !',
    saved: 'Partie enregistrée {0}.', unsaved: 'Ce navigateur n’enregistre rien : notez le code.',
    codeAbout: 'Ce code ouvre ce niveau dans tout autre navigateur.', codeOther: 'Un code noté ailleurs',
    codeWrong: 'Ce code n’ouvre aucun niveau : vérifiez-le.',
    name: 'Votre nom', nameAbout: 'Avec un nom, vos solutions comptent ici désormais.',
    solversNone: 'Personne n’a encore résolu de niveau ici.', solversLost: 'Le serveur ne répond pas.',
    first: 'Premier', times: 'Résolu', fastest: 'Record', median: 'Médiane', mean: 'Moyenne',
    target: 'Rectangle de {0} sur {1} cases ; libres : {2}', figure: 'Figure de {0} : {1}', turns: 'elle peut tourner',
    loose: 'à côté', lies: 'posée colonne {0}, rangée {1}', held: 'Tenue colonne {0}, rangée {1} : {2}.',
    fits: 'elle entre', covered: 'elle n’entre pas', laid: 'Posée.', back: 'De nouveau à côté du rectangle.', turned: 'Tournée : {0}.',
    row: 'rangée {0}', done: 'résolu {0} en {1}', opened: 'ouvert',
    helpAim: 'Glissez les figures dans le rectangle jusqu’à le remplir. Il y a une seule solution. Les figures gardent leur sens ; seule celle au cercle peut tourner : touchez-la.',
    helpMouse: 'Souris ou doigt : glissez une figure dans le rectangle, ou hors de lui. Là où elle n’entre pas, elle revient.',
    helpKeys: 'Clavier : Tab ou les flèches choisissent une figure, Entrée la prend, les flèches la déplacent, Entrée la pose, R la tourne, Échap la lâche, Suppr la retire du rectangle.',
    helpCodes: 'Chaque niveau est chiffré par la solution du précédent. La partie est gardée dans ce navigateur ; un code l’emporte ailleurs.',
    squares: { one: '{0} case', other: '{0} cases' },
    seconds: { one: '{0} seconde', other: '{0} secondes' },
    sum: { one: '{0} niveau résolu', other: '{0} niveaux résolus' },
  },
  de: {
    own: 'Deutsch', language: 'Sprache', levels: 'Level', code: 'Code', solvers: 'Bestenliste', help: 'Hilfe',
    again: 'Neu beginnen', close: 'Schließen', copy: 'Kopieren', copied: 'Kopiert.', open: 'Öffnen', keep: 'Merken', level: 'Level',
    number: 'Level {0} von {1}', fill: 'Fülle das Rechteck mit allen Figuren.',
    solved: 'Level {0} in {1} gelöst.', last: 'Alle Level sind gelöst. Glückwunsch!',
    saved: 'Spielstand {0} gespeichert.', unsaved: 'Dieser Browser speichert nichts: schreib den Code auf.',
    codeAbout: 'Dieser Code öffnet dieses Level in jedem anderen Browser.', codeOther: 'Ein Code von anderswo',
    codeWrong: 'Dieser Code öffnet kein Level: prüfe ihn noch einmal.',
    name: 'Dein Name', nameAbout: 'Mit einem Namen zählen deine Lösungen von nun an hier.',
    solversNone: 'Hier hat noch niemand ein Level gelöst.', solversLost: 'Der Server antwortet nicht.',
    first: 'Zuerst', times: 'Gelöst', fastest: 'Bestzeit', median: 'Median', mean: 'Mittel',
    target: 'Rechteck, {0} mal {1} Felder; frei: {2}', figure: 'Figur aus {0}: {1}', turns: 'sie lässt sich drehen',
    loose: 'liegt daneben', lies: 'liegt in Spalte {0}, Zeile {1}', held: 'Gehalten in Spalte {0}, Zeile {1}: {2}.',
    fits: 'sie passt', covered: 'sie passt nicht', laid: 'Abgelegt.', back: 'Wieder neben dem Rechteck.', turned: 'Gedreht: {0}.',
    row: 'Zeile {0}', done: '{0} in {1} gelöst', opened: 'offen',
    helpAim: 'Zieh die Figuren in das Rechteck, bis es gefüllt ist. Es gibt genau eine Lösung. Figuren behalten ihre Richtung; nur die mit dem Kreis lässt sich drehen: tippe sie an.',
    helpMouse: 'Maus oder Finger: zieh eine Figur in das Rechteck oder wieder heraus. Wo sie nicht passt, kehrt sie zurück.',
    helpKeys: 'Tastatur: Tab oder Pfeile wählen eine Figur, Enter nimmt sie, Pfeile bewegen sie, Enter legt sie ab, R dreht sie, Escape lässt los, Entf nimmt sie aus dem Rechteck.',
    helpCodes: 'Jedes nächste Level ist mit der Lösung des vorigen verschlüsselt. Der Spielstand bleibt in diesem Browser; ein Code trägt ihn anderswohin.',
    squares: { one: '{0} Feld', other: '{0} Feldern' },
    seconds: { one: '{0} Sekunde', other: '{0} Sekunden' },
    sum: { one: '{0} Level gelöst', other: '{0} Level gelöst' },
  },
  zh: {
    own: '中文', language: '语言', levels: '关卡', code: '代码', solvers: '解题榜', help: '帮助',
    again: '重新开始', close: '关闭', copy: '复制', copied: '已复制。', open: '打开', keep: '保存', level: '关卡',
    number: '第 {0} 关，共 {1} 关', fill: '用全部图形填满矩形。',
    solved: '第 {0} 关用 {1}解开。', last: '所有关卡都已解开，恭喜！',
    saved: '进度已在{0}保存。', unsaved: '此浏览器不保存进度：请记下代码。',
    codeAbout: '此代码可在任何其他浏览器中打开这一关。', codeOther: '别处记下的代码',
    codeWrong: '此代码打不开任何关卡：请再检查一遍。',
    name: '你的名字', nameAbout: '填写名字后，你的解答会记入此榜。',
    solversNone: '这里还没有人解开过关卡。', solversLost: '服务器没有响应。',
    first: '最先解开', times: '次数', fastest: '最快', median: '中位数', mean: '平均',
    target: '矩形，{0} 列 {1} 行；空格：{2}', figure: '{0}的图形：{1}', turns: '可以旋转',
    loose: '在旁边', lies: '位于第 {0} 列第 {1} 行', held: '第 {0} 列第 {1} 行：{2}。',
    fits: '放得下', covered: '放不下', laid: '已放下。', back: '已放回旁边。', turned: '已旋转：{0}。',
    row: '第 {0} 行', done: '{0}解开，用时 {1}', opened: '已打开',
    helpAim: '把图形拖进矩形直到填满，解法只有一种。图形不能旋转，只有带圆圈的那个可以：轻点它。',
    helpMouse: '鼠标或手指：把图形拖进或拖出矩形。放不下时它会回到原处。',
    helpKeys: '键盘：Tab 或方向键选择图形，Enter 拿起，方向键移动，Enter 放下，R 旋转，Esc 放手，Delete 移出矩形。',
    helpCodes: '每一关都由上一关的解答加密。进度保存在此浏览器中；代码可把它带到别处。',
    squares: { other: '{0} 格' },
    seconds: { other: '{0} 秒' },
    sum: { other: '已解开 {0} 关' },
  },
};

let language = 'en';

/** A text with its gaps filled in. */
function say(key, ...values) {
  return WORDS[language][key].replace(/\{(\d)\}/g, (_, i) => values[i] ?? '');
}

/** A text that depends on a number. */
function count(key, n) {
  const forms = WORDS[language][key];
  const form = forms[new Intl.PluralRules(language).select(n)] ?? forms.other;
  return form.replace('{0}', n.toLocaleString(language));
}

/** How long ago a moment was, in words. */
function ago(at) {
  const past = Math.max(0, Math.round((Date.now() - at) / 1000));
  const units = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];
  const [unit, size] = units.find(([, size]) => past >= size) ?? units[3];
  return new Intl.RelativeTimeFormat(language).format(-Math.floor(past / size), unit);
}

/** Seconds as a clock shows them. */
function clock(seconds) {
  const two = (n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A time that something took: in words as long as it is short. */
const took = (seconds) => (seconds < 60 ? count('seconds', seconds) : clock(seconds));

/** The first of these languages that there is. */
function spoken(wanted) {
  return wanted.map((l) => String(l ?? '').slice(0, 2)).find((l) => Object.hasOwn(WORDS, l)) ?? 'en';
}

/** Speaks a language from now on: every element that names a word gets it. */
function speak(code) {
  language = code;
  document.documentElement.lang = code;
  for (const e of document.querySelectorAll('[data-word]')) e.textContent = say(e.dataset.word);
  for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', say(e.dataset.label));
}
