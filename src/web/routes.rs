//! All that can be asked for, in one table: the router and the test of the OpenAPI document read it.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, delete, get, post, put};

use super::calibrations::Calibrations;
use super::daemon::Daemon;
use super::guard::{Guard, guard};
use super::play::Play;
use super::solvers::Solvers;
use super::tools::Tools;
use super::{api, metrics, pages, stream};

/// What every handler may use.
#[derive(Clone, Debug)]
pub struct App {
    /// The sessions.
    pub daemon: Arc<Daemon>,
    /// Who is let through.
    pub guard: Arc<Guard>,
    /// Games that browsers play.
    pub play: Play,
    /// Who has solved levels of TripleX.
    pub solvers: Arc<Solvers>,
    /// The boards that are being calibrated.
    pub calibrations: Arc<Calibrations>,
    /// What other commands can do; not every command that serves has them.
    pub tools: Option<Arc<dyn Tools>>,
}

/// The largest body of a request: everything that is sent here is a few lines of JSON.
const LARGEST: usize = 64 * 1024;

/// Paths of the interface, with what answers them.
#[must_use]
pub fn table() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/healthz", get(api::health)),
        ("/metrics", get(metrics::metrics)),
        ("/api/openapi.json", get(api::document)),
        ("/api/token", post(api::token::enter)),
        ("/api/stop", post(api::stop)),
        (
            "/api/sessions",
            get(api::sessions::list).post(api::sessions::add),
        ),
        (
            "/api/sessions/{id}",
            get(api::sessions::show).delete(api::sessions::remove),
        ),
        ("/api/sessions/{id}/arm", post(api::sessions::arm)),
        ("/api/sessions/{id}/disarm", post(api::sessions::disarm)),
        ("/api/sessions/{id}/events", get(stream::events)),
        ("/api/sessions/{id}/frame.jpg", get(stream::still)),
        ("/api/sessions/{id}/frames.mjpg", get(stream::moving)),
        ("/api/sources", get(api::calibrations::sources)),
        (
            "/api/calibrations",
            get(api::calibrations::list).post(api::calibrations::open),
        ),
        (
            "/api/calibrations/{id}",
            get(api::calibrations::show).delete(api::calibrations::close),
        ),
        (
            "/api/calibrations/{id}/frame.png",
            get(api::calibrations::frame),
        ),
        ("/api/calibrations/{id}/held", put(api::calibrations::hold)),
        ("/api/calibrations/{id}/find", post(api::calibrations::find)),
        (
            "/api/calibrations/{id}/shown",
            put(api::calibrations::shown),
        ),
        (
            "/api/calibrations/{id}/click",
            post(api::calibrations::click),
        ),
        ("/api/calibrations/{id}/save", post(api::calibrations::save)),
        ("/api/profiles", get(api::choices::profiles)),
        ("/api/profiles/{name}", delete(api::choices::forget)),
        ("/api/policies/{game}", get(api::choices::policies)),
        ("/api/journal/runs", get(api::journal::runs)),
        ("/api/journal/runs/{run}", get(api::journal::run)),
        (
            "/api/journal/runs/{run}/report.tar.gz",
            get(api::records::report),
        ),
        ("/api/recordings", get(api::records::list)),
        ("/api/recordings/{id}/replay", post(api::records::replay)),
        (
            "/api/settings",
            get(api::settings::show).put(api::settings::put),
        ),
        ("/api/logs/events", get(stream::logs)),
        ("/api/doctor", get(api::machine::doctor)),
        ("/api/devices", get(api::machine::devices)),
        ("/api/journal/mismatches", get(api::journal::mismatches)),
        ("/api/journal/restarts", get(api::journal::restarts)),
        ("/api/journal/pictures/{id}", get(api::journal::picture)),
        ("/api/play", get(api::play::limits)),
        ("/api/play/gomoku", post(api::play::gomoku::reply)),
        ("/api/play/connect4", post(api::play::connect4::reply)),
        ("/api/play/flood", post(api::play::flood::reply)),
        ("/api/play/flood/boards", get(api::play::flood::board)),
        ("/api/play/tetris", get(api::play::tetris::connect)),
        ("/games/triplex.html", get(api::triplex::page)),
        ("/api/triplex/levels", get(api::triplex::levels)),
        ("/api/triplex/levels/{level}", get(api::triplex::level)),
        ("/api/triplex/tickets", post(api::triplex::ticket)),
        (
            "/api/triplex/solved",
            get(api::triplex::known).post(api::triplex::solved),
        ),
    ]
}

/// The whole server.
pub fn router(app: App) -> Router {
    let mut router = Router::new();
    for (path, answer) in table() {
        router = router.route(path, answer);
    }
    router
        .fallback(pages::page)
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}
