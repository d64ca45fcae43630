#shell zsh
#does delete /home/dev/p/d/e d  (by call 2)
y=d/e x=("${y:=d}" d)
rid 2 "${x%e}"
