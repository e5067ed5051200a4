//! A folder that explains a run: text for people, lines for programs, pictures, configuration.
