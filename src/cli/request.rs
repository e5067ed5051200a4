//! What `play`, `watch` and `calibrate` share: which source, which game, which settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;

use crate::assemble::{GameOptions, Order, SourceSpec, Stage};
use crate::capture::camera::network::public;
use crate::capture::query::WindowQuery;
use crate::capture::screen::Area;
use crate::cli::recipe::{Asks, profile_name};
use crate::config::profile::{self, Click, Profile, Source};
use crate::config::{Settings, Sources};
use crate::games::duel::sides::Who;
use crate::games::flood::agent::{AgentOptions, Controls};
use crate::games::gomoku::rules::Rule;
use crate::games::tetris::agent::{FallPrior, KeyNames, Mode};
use crate::games::tetris::rules::{Pace, System};
use crate::games::{connect4, gomoku, tetris};
use crate::types::{CameraName, CameraSpec, GridSize};

/// Which settings apply.
#[derive(Clone, Debug, Default, Args)]
pub struct SettingsOptions {
    /// A configuration file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Set one key of the configuration, as play.retries=3; may be given several times
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    set: Vec<String>,
    /// The journal's file
    #[arg(long, value_name = "FILE", global = true)]
    journal: Option<PathBuf>,
    /// What is logged: error, warn, info, debug, trace, or a filter like kibitzer=debug
    #[arg(long, value_name = "LEVEL", global = true)]
    log: Option<String>,
}

impl SettingsOptions {
    /// Reads all sources; what the command line says wins.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place and what is allowed.
    pub fn load(&self, more: &[(&str, Option<String>)]) -> anyhow::Result<Settings> {
        let mut overrides = Vec::new();
        for text in &self.set {
            let Some((key, value)) = text.split_once('=') else {
                bail!("--set {text}: write it as KEY=VALUE, for example --set play.retries=3");
            };
            overrides.push((key.trim().to_owned(), value.trim().to_owned()));
        }
        let journal = self.journal.as_ref().map(|p| p.display().to_string());
        let own = [("journal.path", journal), ("log.level", self.log.clone())];
        for (key, value) in own.iter().chain(more) {
            if let Some(value) = value {
                overrides.push(((*key).to_owned(), value.clone()));
            }
        }
        Ok(Settings::load(&Sources::of_process(
            self.config.clone(),
            overrides,
        ))?)
    }
}

/// Which screen and which game.
#[derive(Clone, Debug, Args)]
pub struct Request {
    /// A profile: the name of a file in calibration/, or a path
    #[arg(value_name = "PROFILE", conflicts_with_all = ["window", "screen", "camera", "file", "game"])]
    profile: Option<String>,
    /// The window: part of its title, =Whole title, class:Name or id:0x123
    #[arg(long, value_name = "TITLE", requires = "game")]
    window: Option<String>,
    /// The screen: all, a monitor's name or number, or a region X,Y,WxH
    #[arg(
        long,
        value_name = "AREA",
        requires = "game",
        conflicts_with = "window"
    )]
    screen: Option<String>,
    /// The camera: a name that `kibitzer cameras` lists or a part of it, or an address like
    /// http://10.0.0.5:8080/video
    #[arg(long, value_name = "NAME", requires = "game", conflicts_with_all = ["window", "screen"])]
    camera: Option<String>,
    /// A picture, a folder of pictures or a video, which can only be watched
    #[arg(
        long, value_name = "PATH", requires = "game",
        conflicts_with_all = ["window", "screen", "camera"]
    )]
    file: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// How long to wait for the window or the camera to appear, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    wait: f64,
    #[command(flatten)]
    pub settings: SettingsOptions,
}

impl Request {
    /// What to open. Geometry and colours come from the screen unless the profile holds them.
    ///
    /// # Errors
    /// For a profile that is missing or wrong, a game that does not exist, a source not named.
    pub fn order(&self, command: &str, settings: &Settings) -> anyhow::Result<Order> {
        let order = match (&self.profile, &self.window, &self.screen, &self.game) {
            (Some(name), ..) => Self::from_profile(command, name, settings)?,
            (None, Some(title), _, Some(game)) => {
                let query: WindowQuery = title.parse()?;
                let name = format!("window {query}");
                Order::bare(command, name, SourceSpec::Window(query), game, settings)
            }
            (None, None, Some(area), Some(game)) => {
                let all = if area == "all" { "" } else { area };
                let area: Area = all.parse()?;
                let name = format!("screen {area}");
                Order::bare(command, name, SourceSpec::Screen(area), game, settings)
            }
            (None, None, None, Some(game)) if self.camera.is_some() => {
                let which = CameraName::from_text(self.camera.as_deref().unwrap_or_default());
                let name = format!("camera {}", public(which.text()));
                let source = SourceSpec::Camera(CameraSpec::new(which));
                Order::bare(command, name, source, game, settings)
            }
            (None, None, None, Some(game)) if self.file.is_some() => {
                let path = self.file.clone().unwrap_or_default();
                let name = format!("file {}", path.display());
                Order::bare(command, name, SourceSpec::Files(path), game, settings)
            }
            _ => bail!(
                "what shall be watched? name a profile, or give --window TITLE (or --screen AREA, or \
                 --camera NAME) and --game GAME"
            ),
        };
        crate::assemble::wanted(&order.game)?;
        if !(0.0..=86_400.0).contains(&self.wait) {
            bail!("--wait {}: from 0 to 86400 seconds are allowed", self.wait);
        }
        Ok(Order {
            wait: Duration::from_secs_f64(self.wait),
            ..order
        })
    }

    /// How source and game are named, without what only this machine knows.
    #[must_use]
    pub fn asks(&self, profile: Option<&Profile>) -> Asks {
        let game = self.game.clone().unwrap_or_default();
        if let (None, Some(camera)) = (profile, &self.camera) {
            let which = CameraName::from_text(camera);
            let name = public(which.text());
            return Asks::Camera { name, game };
        }
        match (profile, &self.window, &self.screen) {
            (Some(profile), ..) => Asks::Profile(profile_name(profile)),
            (None, Some(title), _) => Asks::Window {
                title: title.clone(),
                game,
            },
            (None, None, Some(area)) => Asks::Screen {
                area: area.clone(),
                game,
            },
            (None, None, None) => {
                let name = self.file.as_deref().and_then(Path::file_name);
                Asks::File {
                    name: name.unwrap_or_default().to_string_lossy().into_owned(),
                    game,
                }
            }
        }
    }

    /// The request that named them so.
    #[must_use]
    pub fn again(asks: &Asks) -> Self {
        let mut request = Self {
            profile: None,
            window: None,
            screen: None,
            camera: None,
            file: None,
            game: None,
            wait: 0.0,
            settings: SettingsOptions::default(),
        };
        let game = match asks {
            Asks::Profile(name) => {
                request.profile = Some(name.clone());
                return request;
            }
            Asks::Window { title, game } => {
                request.window = Some(title.clone());
                game
            }
            Asks::Screen { area, game } => {
                request.screen = Some(area.clone());
                game
            }
            Asks::Camera { name, game } => {
                request.camera = Some(name.clone());
                game
            }
            Asks::File { name, game } => {
                request.file = Some(name.into());
                game
            }
            // These are ordered without a request.
            Asks::Rig { .. } | Asks::BuiltIn(_) => return request,
        };
        request.game = Some(game.clone());
        request
    }

    /// The profile that is named, as it is written.
    ///
    /// # Errors
    /// When it is missing or wrong.
    pub fn profile(&self, settings: &Settings) -> anyhow::Result<Option<Profile>> {
        let load = |name: &String| profile::load(name, &settings.folders);
        Ok(self.profile.as_ref().map(load).transpose()?)
    }

    /// The file of the profile that is named, to be changed.
    ///
    /// # Errors
    /// When none is named, or it is one that is shipped inside the program.
    pub fn file_of_profile(&self, settings: &Settings) -> anyhow::Result<PathBuf> {
        let Some(name) = &self.profile else {
            bail!("which profile? name the one to write into");
        };
        profile::file(name, &settings.folders)
            .with_context(|| format!("{name} is no file: copy the profile into a folder first"))
    }

    /// What a profile asks for.
    ///
    /// # Errors
    /// When it is missing or wrong.
    pub fn from_profile(command: &str, name: &str, settings: &Settings) -> anyhow::Result<Order> {
        let profile = profile::load(name, &settings.folders)?;
        let options = match profile.game.as_str() {
            "tetris" => tetris(name, &profile.tetris, profile.size)?,
            "connect4" => GameOptions::Connect4(connect4(&profile.duel)),
            "gomoku" => GameOptions::Gomoku(gomoku::agent::AgentOptions {
                rule: match profile.duel.exact {
                    true => Rule::Exact,
                    false => Rule::FiveOrMore,
                },
                who: who(&profile.duel),
            }),
            _ => flood(&profile),
        };
        let mut simulated = None;
        let source = match profile.source {
            Source::Window { title, class, id } => {
                let mut query = match title {
                    Some(title) => title.parse()?,
                    None => WindowQuery::default(),
                };
                (query.class, query.id) = (class.or(query.class), id.or(query.id));
                SourceSpec::Window(query)
            }
            Source::Screen(area) if area == "all" => SourceSpec::Screen(Area::Whole),
            Source::Screen(area) => SourceSpec::Screen(Area::Monitor(area)),
            Source::Region(rect) => SourceSpec::Screen(Area::Region(rect)),
            Source::File(path) => SourceSpec::Files(path),
            Source::Camera(spec) => SourceSpec::Camera(spec),
            Source::Simulated(settings) => {
                let stage = Stage::parse(&settings);
                let told = || format!("profile {name}: source.simulated");
                simulated = Some(stage.with_context(told)?);
                SourceSpec::Simulated
            }
        };
        let bare = Order::bare(command, profile.name, source, &profile.game, settings);
        let mut order = Order {
            simulated,
            size: profile.size,
            calibration: profile.calibration,
            options,
            fallback: settings.unless_profile(
                "policy.fallback",
                settings.policy.fallback.clone(),
                profile.fallback.map(Some),
            ),
            hands: profile.hands,
            script: profile.script,
            new_game: (!profile.new_game.is_empty()).then_some(profile.new_game),
            settle: settings.unless_profile(
                "play.settle_ms",
                settings.play.settle.unwrap_or(bare.settle),
                profile.timing.settle,
            ),
            confirm: settings.unless_profile(
                "play.confirm_timeout_ms",
                settings.play.confirm_timeout,
                profile.timing.confirm,
            ),
            hold: profile.timing.hold.unwrap_or(bare.hold),
            gap: profile.timing.gap.unwrap_or(bare.gap),
            ..bare
        };
        if let Some(stage) = order.simulated.clone() {
            stage.complete(&mut order);
        }
        Ok(order)
    }
}

/// What Flood-It needs to know of the program.
fn flood(profile: &Profile) -> GameOptions {
    let class = |letter: char| (letter as u32).wrapping_sub('a' as u32) as u8;
    let controls = match &profile.click {
        Click::Cell => Controls::Cells,
        Click::Swatches(all) => {
            Controls::Swatches(all.iter().map(|s| (class(s.letter), s.at)).collect())
        }
    };
    GameOptions::Flood(AgentOptions {
        start: profile.start.unwrap_or_default(),
        limit: profile.limit,
        controls,
    })
}

/// Who is who, as far as a profile says it.
fn who(duel: &profile::Duel) -> Who {
    Who {
        side: duel.side,
        begins: duel.begins,
        looks_on: false,
    }
}

/// What Connect-4 needs to know of the program.
fn connect4(duel: &profile::Duel) -> connect4::agent::AgentOptions {
    use connect4::agent::{Controls, Cursor, Stands};
    let controls = match duel.drop.clone() {
        profile::Drop::Hole => Controls::Hole,
        profile::Drop::Top => Controls::Top,
        profile::Drop::Keys(keys) => Controls::Keys(keys),
        profile::Drop::Cursor {
            left,
            right,
            drop,
            stands,
        } => Controls::Cursor(Cursor {
            left,
            right,
            drop,
            stands: match stands {
                profile::Stands::Anywhere => Stands::Anywhere,
                profile::Stands::Last => Stands::Last,
                profile::Stands::Middle => Stands::Middle,
            },
        }),
    };
    let usual = connect4::agent::AgentOptions::default();
    connect4::agent::AgentOptions {
        row: duel.row.unwrap_or(usual.row),
        controls,
        who: who(duel),
    }
}

/// What Tetris needs to know of the program.
fn tetris(
    name: &str,
    profile: &profile::Tetris,
    size: Option<GridSize>,
) -> anyhow::Result<GameOptions> {
    let usual = tetris::agent::AgentOptions::default();
    let system = match &profile.system {
        None => usual.system.clone(),
        Some(system) => match System::by_name(system) {
            Some(known) => known,
            None => bail!(
                "profile {name}: tetris.system = \"{system}\": there is no such system; there are: {}",
                System::NAMES.join(", ")
            ),
        },
    };
    let key = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
    let keys = KeyNames {
        left: key(&profile.left, &usual.keys.left),
        right: key(&profile.right, &usual.keys.right),
        rotate: key(&profile.rotate, &usual.keys.rotate),
        drop: key(&profile.drop, &usual.keys.drop),
        ..usual.keys.clone()
    };
    let pace = Pace::by_name(&system.name);
    let fall = match (profile.fall, pace) {
        (Some(delay), _) => FallPrior::Fixed(delay),
        (None, Some(pace)) => FallPrior::Program(pace, pace.first_level()),
        (None, None) => usual.fall,
    };
    let clearing = profile.clear.or(pace.map(Pace::clearing));
    let mode = match profile.dead_reckoning {
        true => Mode::DeadReckoning,
        false => Mode::RealityCheck,
    };
    Ok(GameOptions::Tetris {
        agent: Box::new(tetris::agent::AgentOptions {
            system,
            keys,
            fall,
            steady_clock: pace.is_some_and(Pace::is_steady),
            clearing: clearing.unwrap_or(usual.clearing),
            mode,
            size: size.unwrap_or(usual.size),
            ..usual
        }),
        next: profile.next,
    })
}
