//! What `rails runner` is given: the project's models are asked, and make or change rows.
//!
//! INVARIANT: nothing is called by a name that is computed, nothing has a block, and texts hold no call of SQL; of a
//! row only what it is or does by itself, without being given anything, may have any name: that is the project's own code.

use std::collections::BTreeSet;

use belay_model::Verb;

use super::lists;
use super::tokens::Token;
use crate::Doing;

/// Goes through a program.
#[derive(Default)]
struct Checker {
    variables: BTreeSet<String>,
    /// Whether rows may be made, changed or taken away.
    changes: bool,
}

/// Reads a program; nothing when a piece of it is not known.
pub(super) fn read(tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut checker = Checker::default();
    checker.all(tokens)?;
    Some(vec![match checker.changes {
        true => Doing::Other(Verb::Change, vec!["database", "own", "database-yml"]),
        false => Doing::Other(Verb::Query, vec!["database"]),
    }])
}

impl Checker {
    fn all(&mut self, tokens: &[Token]) -> Option<()> {
        for (at, token) in tokens.iter().enumerate() {
            let (before, after) = tokens.split_at_checked(at)?;
            let after = after.get(1..).unwrap_or_default();
            match token {
                Token::Word(word) => self.word(word, before, after)?,
                // The method that a symbol names is called without anything.
                Token::Inner(inner) => match inner.as_slice() {
                    [Token::Mark('.'), Token::Word(word)] => self.of_row(word, &[])?,
                    _ => return None,
                },
                Token::Text(Some(text)) if !text.contains(['(', ';']) => {}
                Token::Text(_) | Token::Variable(_) => return None,
                Token::Plain => {}
                Token::Mark('|') => {
                    let twice = |it: Option<&Token>| it.is_some_and(|it| it.is('|'));
                    (twice(before.last()) || twice(after.first())).then_some(())?;
                }
                Token::Mark(mark) => {
                    let fine = "(),;\n.=!<>+-*&:[]".contains(*mark);
                    fine.then_some(())?;
                }
            }
        }
        Some(())
    }

    fn word(&mut self, word: &str, before: &[Token], after: &[Token]) -> Option<()> {
        match before {
            [.., Token::Mark('.'), Token::Mark('.')] => return None,
            [.., Token::Word(of), Token::Mark('.')] if is_model(of) => {
                return self.of_model(word);
            }
            [.., Token::Mark('.')] => return self.of_row(word, after),
            _ => {}
        }
        if after.first().is_some_and(|it| it.is(':')) {
            return Some(());
        }
        if is_model(word) {
            return after.first().is_some_and(|it| it.is('.')).then_some(());
        }
        if self.variables.contains(word) {
            return is_left_alone(after).then_some(());
        }
        if lists::RAILS_WORDS.has(word) {
            return Some(());
        }
        let begins = match before.last() {
            None => true,
            Some(it) => it.is(';') || it.is('\n'),
        };
        let sets = match after {
            [Token::Mark('='), Token::Mark('=' | '>'), ..] => false,
            [Token::Mark('='), ..] => true,
            _ => false,
        };
        (begins && sets).then(|| {
            self.variables.insert(word.to_owned());
        })
    }

    fn of_model(&mut self, word: &str) -> Option<()> {
        self.changes |= lists::RAILS_MAKES.has(word);
        (lists::RAILS_ASKS.has(word) || lists::RAILS_MAKES.has(word)).then_some(())
    }

    /// What is asked of a row, or of rows.
    fn of_row(&mut self, word: &str, after: &[Token]) -> Option<()> {
        if lists::RAILS_ASKS.has(word) {
            return Some(());
        }
        self.changes = true;
        let known = lists::RAILS_MAKES.has(word) || lists::RAILS_ROWS.has(word);
        // Its own name for something: an attribute, or a method of the project.
        (known || is_left_alone(after) && !after.first().is_some_and(|it| it.is('.'))).then_some(())
    }
}

/// Tells whether a name is one that models have: nothing of the language's own is spelled in capitals alone.
fn is_model(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_uppercase())
        && word.contains(|it: char| it.is_ascii_lowercase())
        && !lists::RAILS_NONE.has(word)
}

/// Tells whether nothing is given to what stands before.
fn is_left_alone(after: &[Token]) -> bool {
    match after {
        [] => true,
        [Token::Mark('='), Token::Mark('='), ..] => true,
        [Token::Mark(mark), ..] => !"(={[:!*&-+<".contains(*mark),
        [
            Token::Word(_) | Token::Variable(_) | Token::Text(_) | Token::Plain | Token::Inner(_),
            ..,
        ] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_rails;
    use crate::Doing;
    use belay_model::Verb;

    #[test]
    fn models_are_asked() {
        for code in [
            "puts User.includes(:orders, :roles).limit(50).explain",
            "puts User.where(admin: true).count",
            "p Order.order(:id).last",
            "puts User.pluck(:email)",
            "puts User.where('age > 3').to_sql",
            "puts User.count; puts Order.count",
        ] {
            let asked = Some(vec![Doing::Other(Verb::Query, vec!["database"])]);
            assert_eq!(read_rails(code), asked, "{code}");
        }
    }

    #[test]
    fn rows_are_changed() {
        for code in [
            "i = Invite.create!(email: \"a@example.com\", user: User.first || User.create!(email: \"o@example.com\")); puts i.token, i.expired?",
            "u = User.first; u.update!(name: 'x')",
            "User.find_by(email: 'a').destroy",
            "puts User.first.name",
            "puts User.all.map(&:email)",
        ] {
            let changed = vec!["database", "own", "database-yml"];
            let changed = Some(vec![Doing::Other(Verb::Change, changed)]);
            assert_eq!(read_rails(code), changed, "{code}");
        }
    }

    #[test]
    fn what_does_more_is_not_read() {
        for code in [
            "system('id')",
            "`id`",
            "puts `id`",
            "puts %x(id)",
            "User.connection.execute('drop table a')",
            "User.first.class.connection",
            "User.find_by_sql('select 1')",
            "User.where(\"pg_sleep(1)\").count",
            "User.where(\"a\\x28\").count",
            "User.delete_all",
            "User.destroy_all",
            "User.all.delete_all('x')",
            "File.read('/etc/passwd')",
            "File.delete('a')",
            "File.write('a', 'b')",
            "IO.popen('id')",
            "Kernel.exit",
            "ENV.first",
            "puts ENV['TOKEN']",
            "Rails.application.credentials.x",
            "ActiveRecord::Base.connection",
            "InviteMailer.invite(Invite.new(email: 'a')).deliver_now",
            "User.first.send(:system, 'id')",
            "User.first.instance_eval('1')",
            "User.first.tap { system('id') }",
            "User.all.each { |u| system u.name }",
            "User.all.each do |u| puts u end",
            "x = 1; x 'id'",
            "system = 1; system 'id'",
            "system = 1; system *['id']",
            "system = 1; system -1",
            "exec 'id'",
            "eval 'x'",
            "require 'open3'",
            "load 'x'",
            "u = User.first; u.name = 'x'",
            "puts \"#{User.first}\"",
            "\"Kernel\".constantize.exit",
            "def puts(x) end",
            "User.first.public_send 'x'",
            "SendMailJob.perform_later(1)",
            "Tempfile.create('a', '/home/me')",
            "puts Find.find('/home/me').first",
            "puts Mail.all",
            "Stripe::Charge.create(amount: 1)",
        ] {
            assert_eq!(read_rails(code), None, "{code}");
        }
    }
}
