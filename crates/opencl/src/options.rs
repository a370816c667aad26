//! Build options: one string, which the compiler wants as words.

/// The words of a string: parted by white space, except within quotes; a backslash takes the next
/// character as it is.
pub(crate) fn split(options: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = options.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => {
                let word = word.get_or_insert_default();
                word.push(characters.next().unwrap_or('\\'));
            }
            (it, Some(end)) if it == end => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (it, None) if it.is_whitespace() => words.extend(word.take()),
            (it, _) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    words
}
