// The list of games.

import { begin } from './page.js';

begin(() => {});
