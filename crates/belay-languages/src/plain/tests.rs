use super::{Tongue, read};
use crate::Doing;

fn harmless(tongue: Tongue, code: &str) {
    assert!(read(tongue, code).is_some(), "{tongue:?}: {code}");
}

fn unread(tongue: Tongue, code: &str) {
    assert_eq!(read(tongue, code), None, "{tongue:?}: {code}");
}

#[test]
fn ruby_that_prints() {
    for code in [
        "puts 1+1",
        "puts RUBY_VERSION",
        "puts 'a'.upcase",
        "require 'json'; puts JSON.parse(STDIN.read)[\"version\"]",
        "x = [3, 1, 2]; puts x.sort.map { |i| i * 2 }.join(', ')",
        "puts [1, 2].map(&:to_s).inspect",
        "5.times do |i| puts \"n #{i}\" end",
        "puts Time.now.strftime('%Y')",
        "puts 7 / 2",
        "h = { a: 1 }; puts h[:a]",
        "@a = 1; p @a",
    ] {
        let known = code != "h = { a: 1 }; puts h[:a]";
        assert_eq!(read(Tongue::Ruby, code).is_some(), known, "{code}");
    }
    assert_eq!(
        read(
            Tongue::Ruby,
            "require \"json\"; puts JSON.parse(File.read(\"package.json\"))[\"version\"]"
        ),
        Some(vec![Doing::Read("package.json".to_owned())])
    );
}

#[test]
fn ruby_that_acts() {
    for code in [
        "system('id')",
        "`id`",
        "puts `id`",
        "puts %x(id)",
        "puts %x{id}",
        "exec 'id'",
        "eval 'x'",
        "puts \"#{`id`}\"",
        "puts \"#{system 'id'}\"",
        "x = 1; x 'id'",
        "system = 1; system 'id'",
        "system = 1; system \"id\"",
        "send(:system, 'id')",
        "1.send(:system, 'id')",
        "Object.send(:system, 'id')",
        "[:system].each { |m| send m, 'id' }",
        "['id'].each(&method(:system))",
        "['id'].map(&:system)",
        "Kernel.system('id')",
        "IO.popen('id')",
        "IO.read('|id')",
        "File.read('|id')",
        "File.read(\"#{x}\")",
        "File.write('a', 'b')",
        "File.delete('a')",
        "open('|id')",
        "puts ENV['TOKEN']",
        "puts ENV",
        "require './x'",
        "require 'net/http'",
        "load 'x'",
        "puts <<X\nid\nX\nsystem('puts')\n",
        "=begin\n'\n=end\nsystem('puts')\n'",
        "puts File::read('x')",
        "puts Kernel::system('x')",
        "puts /#{system('id')}/",
        "puts 1 ? 2 : 3",
        "$stdout = 1; $x",
        "trap('EXIT') { puts 1 }",
        "at_exit { puts 1 }",
        "JSON.parse('x', create_additions: true)",
        "JSON.load('x')",
        "YAML.load('x')",
        "Marshal.load('x')",
        "p $0",
        "def puts(x) end",
        "alias puts system",
        "p Dir",
        "['a', \"puts 1\"].inject(:instance_eval)",
        "['a', \"puts 1\"].reduce(:instance_eval)",
        "require 'yaml'; YAML.load_file('x.yml')",
        "[1].each { |x, y=system('puts')| }",
        "[1].each { |system| }; system *['id']",
        "[1].each do |system| end; system *['id']",
        "[1].each { system = 1 }; system *['id']",
        "[1].each do if 1 then 2 end; system = 1 end; system *['id']",
        "p Process.kill(9, 1)",
    ] {
        unread(Tongue::Ruby, code);
    }
}

#[test]
fn php() {
    for code in [
        "echo PHP_VERSION;",
        "echo 1+1, PHP_EOL;",
        "$a = [1, 2]; foreach ($a as $x) { echo \"n $x\\n\"; }",
        "var_dump(json_decode(file_get_contents(\"composer.json\"), true)[\"require\"]);",
        "echo json_encode(['a' => 1], JSON_PRETTY_PRINT);",
        "echo str_repeat('=', 10);",
        "echo json_decode(file_get_contents('composer.json'))->name;",
        "$a = json_decode(file_get_contents('c.json')); foreach ($a->require as $k => $v) { echo $k; }",
    ] {
        harmless(Tongue::Php, code);
    }
    for code in [
        "system('id');",
        "echo `id`;",
        "$f = 'system'; $f('id');",
        "'system'('id');",
        "('system')('id');",
        "array_map('system', ['id']);",
        "echo \"{$f('id')}\";",
        "echo \"${system('id')}\";",
        "echo \"$_SERVER[PATH]\";",
        "print_r($_ENV);",
        "include 'x';",
        "new X;",
        "echo file_get_contents('http://h/');",
        "echo file_get_contents($x);",
        "file_put_contents('a', 'b');",
        "unlink('a');",
        "echo 1; // '\nsystem('id'); // '",
        "echo 1; # '\nsystem('id'); # '",
        "echo 1; /* ' */ system('id'); /* ' */",
        "?>x<?php system('id');",
        "echo <<<X\n'\nX;\nsystem('echo');\n//'",
        "X::y();",
        "getenv();",
        "phpinfo();",
        "$GLOBALS['x'];",
        "$$x = 1;",
        "[$x, 'y']();",
        "(fn() => system('id'))();",
        "usort($a, 'system');",
        "unserialize($x);",
        "eval('x');",
        "assert('x');",
        "$a->b('id');",
        "$a->b\n('id');",
        "($a->b)('id');",
        "$f = $a->b; $f('id');",
        "$a->b->c('id');",
        "$a->b[0]('id');",
    ] {
        unread(Tongue::Php, code);
    }
}

#[test]
fn lua_and_r() {
    for code in [
        "print(_VERSION)",
        "print(1 + 1)",
        "for i = 1, 3 do print(i, string.rep('x', i)) end",
        "local t = {1, 2}; print(#t, table.concat(t, ','))",
        "print(('x'):rep(3))",
    ] {
        harmless(Tongue::Lua, code);
    }
    for code in [
        "os.execute('id')",
        "io.popen('id')",
        "os['execute']('id')",
        "local f = os.execute f('id')",
        "local e = 'x' e'id'",
        "_G.os.execute('id')",
        "load('x')()",
        "require 'x'",
        "dofile('x')",
        "print([[x]])",
        "print(1) -- '\nos.execute('print') -- '",
        "string.dump(print)",
        "os.remove('x')",
        "print(os.getenv('X'))",
        "getmetatable('').__index.f('x')",
        "local t = os t.execute('id')",
        "local x dofile 'x'",
        "for i = 1, 2 do end dofile 'x'",
    ] {
        unread(Tongue::Lua, code);
    }
    for code in [
        "cat(R.version.string)",
        "x <- c(1, 2, 3); print(mean(x))",
        "cat(paste('a', 'b', sep = '-'), '\\n')",
        "print(R.version$major)",
        "str(read.csv('data.csv', header = TRUE))",
        "packageVersion('dplyr')",
    ] {
        harmless(Tongue::R, code);
    }
    for code in [
        "system('id')",
        "'system'('id')",
        "base::system('id')",
        "x <- system; x('id')",
        "sapply('id', 'system')",
        "do.call('system', list('id'))",
        "cat('x', file = '~/.bashrc')",
        "cat('x', file='a')",
        "eval(parse(text = 'x'))",
        "source('x')",
        "library(x)",
        "read.csv(pipe('id'))",
        "read.csv('http://h/')",
        "Sys.getenv()",
        "unlink('a')",
        "r\"(')\"; system('cat'); r\"(')\"",
        "print(1) # '\nsystem('id') # '",
        "`system`('id')",
        "l <- list(f = 1); l$f('id')",
    ] {
        unread(Tongue::R, code);
    }
}

#[test]
fn mongodb() {
    for code in [
        "db.users.countDocuments()",
        "db.users.find({ name: /x/ }).limit(5)",
        "db.users.find({ age: { $gt: 5 } }, { name: 1 }).sort({ age: -1 }).limit(5).pretty()",
        "printjson(db.stats())",
        "JSON.stringify(db.users.findOne({ _id: ObjectId('5f') }))",
        "db.orders.aggregate([{ $match: { a: 1 } }, { $group: { _id: \"$status\", n: { $sum: 1 } } }])",
        "show dbs",
        "use app; db.getCollectionNames()",
        "db.getSiblingDB('x').users.find()",
    ] {
        // A pattern is not read.
        assert_eq!(
            read(Tongue::Mongo, code).is_some(),
            !code.contains("/x/"),
            "{code}"
        );
    }
    for code in [
        "db.dropDatabase()",
        "db.users.deleteMany({})",
        "db.users.drop()",
        "db['users'].drop()",
        "db.users['drop']()",
        "db.users.find({ $where: 'sleep(1)' })",
        "db.a.aggregate([{ $out: 'b' }])",
        "db.a.aggregate([{ '$out': 'b' }])",
        "db.a.aggregate([{ \"$merge\": 'b' }])",
        "db.a.aggregate([{ '\\x24out': 'b' }])",
        "db.a.aggregate([{ ['$out']: 'b' }])",
        "db.a.aggregate([{ ...x }])",
        "db.a.aggregate(JSON.parse('[]'))",
        "db.users.find().forEach(d => db.b.insertOne(d))",
        "db.adminCommand({ shutdown: 1 })",
        "db.runCommand({ drop: 'a' })",
        "load('x.js')",
        "require('child_process').exec('id')",
        "eval('x')",
        "f = db.users.drop; f()",
        "db.users.find() // '\ndb.users.drop() // '",
        "`${db.users.drop()}`",
        "db.getMongo().getDB('x').dropDatabase()",
        "process.exit()",
        "db.users.find = db.users.drop; db.users.find()",
        "print = db.dropDatabase; print()",
        "print('' + { toString: db.dropDatabase })",
        "printjson(db.getCollection('a').drop)",
        "db.users.update({}, { $set: { a: 1 } })",
    ] {
        unread(Tongue::Mongo, code);
    }
}
