// What the pages say, in five languages. What a session says of itself is English everywhere.

const ALL = {
  en: {
    name: 'English', live: 'Live', mismatches: 'Mismatches', language: 'Language', stopAll: 'STOP',
    stopTitle: 'Stop everything at once (space bar)', token: 'Token', enter: 'Enter', sessions: 'Sessions',
    profile: 'Profile', policy: 'Policy', usual: 'usual', begin: 'Begin', arm: 'Arm', disarm: 'Disarm',
    remove: 'Remove', overlay: 'Grid and letters', seen: 'Seen', believed: 'Believed',
    latency: 'From light to decision, ms', log: 'What happened', cause: 'Cause', run: 'Run', look: 'Look',
    all: 'all', armed: 'armed', none: 'No sessions yet: choose a profile and begin.', lost: 'The daemon does not answer.',
    picture: 'What the session sees', decision: 'Decision', value: 'Value', sent: 'Sent', frames: 'Frames',
    perSecond: 'per second', quality: 'Quality', games: 'Games', tally: 'won {0}, lost {1}, drawn {2}, aborted {3}',
    expected: 'Expected', handling: 'Handling', nothing: 'There are no mismatches.',
    cells: { one: '{0} cell differs', other: '{0} cells differ' },
  },
  ru: {
    name: 'Русский', live: 'Сейчас', mismatches: 'Расхождения', language: 'Язык', stopAll: 'СТОП',
    stopTitle: 'Остановить всё сразу (пробел)', token: 'Ключ', enter: 'Войти', sessions: 'Сеансы',
    profile: 'Профиль', policy: 'Стратегия', usual: 'обычная', begin: 'Начать', arm: 'Разрешить ходы', disarm: 'Запретить ходы',
    remove: 'Убрать', overlay: 'Сетка и буквы', seen: 'Видно', believed: 'Считается',
    latency: 'От кадра до решения, мс', log: 'Что произошло', cause: 'Причина', run: 'Запуск', look: 'Показать',
    all: 'все', armed: 'ходит', none: 'Сеансов нет: выберите профиль и начните.', lost: 'Служба не отвечает.',
    picture: 'Что видит сеанс', decision: 'Решение', value: 'Оценка', sent: 'Отправлено', frames: 'Кадры',
    perSecond: 'в секунду', quality: 'Качество', games: 'Игры', tally: 'выиграно {0}, проиграно {1}, вничью {2}, прервано {3}',
    expected: 'Ожидалось', handling: 'Что сделано', nothing: 'Расхождений нет.',
    cells: { one: 'отличается {0} клетка', few: 'отличаются {0} клетки', many: 'отличаются {0} клеток', other: 'отличаются {0} клетки' },
  },
  fr: {
    name: 'Français', live: 'En direct', mismatches: 'Écarts', language: 'Langue', stopAll: 'ARRÊT',
    stopTitle: 'Tout arrêter immédiatement (barre d’espace)', token: 'Jeton', enter: 'Entrer', sessions: 'Sessions',
    profile: 'Profil', policy: 'Stratégie', usual: 'habituelle', begin: 'Commencer', arm: 'Armer', disarm: 'Désarmer',
    remove: 'Retirer', overlay: 'Grille et lettres', seen: 'Vu', believed: 'Cru',
    latency: 'De l’image à la décision, ms', log: 'Ce qui s’est passé', cause: 'Cause', run: 'Exécution', look: 'Voir',
    all: 'toutes', armed: 'armée', none: 'Aucune session : choisissez un profil et commencez.', lost: 'Le service ne répond pas.',
    picture: 'Ce que voit la session', decision: 'Décision', value: 'Valeur', sent: 'Envoyé', frames: 'Images',
    perSecond: 'par seconde', quality: 'Qualité', games: 'Parties', tally: 'gagnées {0}, perdues {1}, nulles {2}, interrompues {3}',
    expected: 'Attendu', handling: 'Suite donnée', nothing: 'Il n’y a pas d’écart.',
    cells: { one: '{0} case diffère', other: '{0} cases diffèrent' },
  },
  de: {
    name: 'Deutsch', live: 'Live', mismatches: 'Abweichungen', language: 'Sprache', stopAll: 'HALT',
    stopTitle: 'Alles sofort anhalten (Leertaste)', token: 'Schlüssel', enter: 'Eintreten', sessions: 'Sitzungen',
    profile: 'Profil', policy: 'Strategie', usual: 'die übliche', begin: 'Beginnen', arm: 'Scharf schalten', disarm: 'Entschärfen',
    remove: 'Entfernen', overlay: 'Gitter und Buchstaben', seen: 'Gesehen', believed: 'Geglaubt',
    latency: 'Vom Bild zur Entscheidung, ms', log: 'Was geschehen ist', cause: 'Ursache', run: 'Lauf', look: 'Ansehen',
    all: 'alle', armed: 'scharf', none: 'Noch keine Sitzungen: Profil wählen und beginnen.', lost: 'Der Dienst antwortet nicht.',
    picture: 'Was die Sitzung sieht', decision: 'Entscheidung', value: 'Wert', sent: 'Gesendet', frames: 'Bilder',
    perSecond: 'je Sekunde', quality: 'Güte', games: 'Spiele', tally: 'gewonnen {0}, verloren {1}, remis {2}, abgebrochen {3}',
    expected: 'Erwartet', handling: 'Was geschah', nothing: 'Es gibt keine Abweichungen.',
    cells: { one: '{0} Feld weicht ab', other: '{0} Felder weichen ab' },
  },
  zh: {
    name: '中文', live: '实时', mismatches: '不一致', language: '语言', stopAll: '停止',
    stopTitle: '立即停止一切（空格键）', token: '令牌', enter: '进入', sessions: '会话',
    profile: '配置', policy: '策略', usual: '默认', begin: '开始', arm: '允许操作', disarm: '禁止操作',
    remove: '移除', overlay: '网格和字母', seen: '看到的', believed: '认定的',
    latency: '从画面到决定（毫秒）', log: '经过', cause: '原因', run: '运行', look: '查看',
    all: '全部', armed: '可操作', none: '还没有会话：请选择配置并开始。', lost: '服务没有响应。',
    picture: '会话看到的画面', decision: '决定', value: '评分', sent: '已发送', frames: '帧',
    perSecond: '每秒', quality: '质量', games: '对局', tally: '胜 {0}，负 {1}，和 {2}，中止 {3}',
    expected: '预期', handling: '处理', nothing: '没有不一致。',
    cells: { other: '{0} 个格子不同' },
  },
};

let now = 'en';

/** More words, of a page of its own: by language, as above. */
export function add(more) {
  for (const [code, words] of Object.entries(more)) Object.assign(ALL[code], words);
}

/** Codes and own names of the languages. */
export const languages = () => Object.entries(ALL).map(([code, words]) => [code, words.name]);

/** The language of this browser, or the one that was chosen here before. */
export function chosen() {
  const wanted = [localStorage.getItem('language'), ...navigator.languages].map((l) => (l ?? '').slice(0, 2));
  return wanted.find((l) => l in ALL) ?? 'en';
}

/** A text with its numbers filled in. */
export function say(key, ...values) {
  const text = ALL[now][key] ?? ALL.en[key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, i) => values[i] ?? '');
}

/** A text that depends on a number. */
export function count(key, n) {
  const forms = ALL[now][key];
  const form = forms[new Intl.PluralRules(now).select(n)] ?? forms.other;
  return form.replace('{0}', n.toLocaleString(now));
}

/** Speaks a language from now on: every element that names a word gets it. */
export function speak(code) {
  now = code;
  localStorage.setItem('language', code);
  document.documentElement.lang = code;
  for (const e of document.querySelectorAll('[data-word]')) e.textContent = say(e.dataset.word);
  for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', say(e.dataset.label));
  for (const e of document.querySelectorAll('[data-alt]')) e.alt = say(e.dataset.alt);
  for (const e of document.querySelectorAll('[data-title]')) e.title = say(e.dataset.title);
}
