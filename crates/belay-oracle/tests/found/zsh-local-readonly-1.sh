#shell zsh
#does delete /home/dev/p/a  (by call 1)
x=b
readonly x='$z'
f() { local x=${1:-d}; shift; rid 1 "$x"; }; f a
