#shell zsh
#does delete /home/dev/p/a  (by call 1)
y=../q
f() {
trap 'x=a' EXIT
x="${y##*/}"
}
f
rid 1 "${x%/*}"
