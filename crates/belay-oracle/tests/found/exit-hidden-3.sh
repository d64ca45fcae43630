#shell zsh
#does delete /home/dev/q  (by call 1)
x=../q; trap 'rid 1 "$x"' EXIT; f() { local x=a; exit; }; f
