// What the page says of profiles, in five languages.

import { add } from './words.js';

add({
  en: { forget: 'Delete profile', forgetAsk: 'Delete the profile {0}? Its file is gone for good.', forgetYes: 'Delete', forgetNo: 'Keep' },
  ru: { forget: 'Удалить профиль', forgetAsk: 'Удалить профиль {0}? Его файл не вернуть.', forgetYes: 'Удалить', forgetNo: 'Оставить' },
  fr: { forget: 'Supprimer le profil', forgetAsk: 'Supprimer le profil {0} ? Son fichier sera perdu.', forgetYes: 'Supprimer', forgetNo: 'Garder' },
  de: { forget: 'Profil löschen', forgetAsk: 'Das Profil {0} löschen? Seine Datei ist dann endgültig weg.', forgetYes: 'Löschen', forgetNo: 'Behalten' },
  zh: { forget: '删除配置', forgetAsk: '删除配置 {0}？文件将无法恢复。', forgetYes: '删除', forgetNo: '保留' },
});
