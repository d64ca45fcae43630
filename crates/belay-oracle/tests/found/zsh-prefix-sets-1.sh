#shell zsh
#does delete /home/dev/q  (by call 1)
unset y; z=${y:=a} cat l
rid 1 "${y-../q}"
