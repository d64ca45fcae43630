#shell zsh
#does delete /home/dev/d  (by call 3)
y=$()
f() {
trap 'cd && x=d' EXIT
x="$y"
}
f
rid 3 "${x//\//.}"
