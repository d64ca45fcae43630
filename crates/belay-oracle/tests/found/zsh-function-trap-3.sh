#shell zsh
#does delete /home/dev/p/d/t1  (by call 1)
trap 'cd d; rid 1 t1' EXIT
f() { trap true EXIT; }
f
