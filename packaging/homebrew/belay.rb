class Belay < Formula
  desc "Auto mode for any coding agent: allow, ask or deny, with a reason"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@PLATFORMS@
  def install
    bin.install "bin/belay"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/belay"
    zsh_completion.install "share/zsh/site-functions/_belay"
    fish_completion.install "share/fish/vendor_completions.d/belay.fish"
  end

  test do
    assert_match "allow", shell_output("#{bin}/belay check -- ls")
  end
end
