#shell zsh
#does delete /home/dev/s  (by call 1)
unset y
rid 1 "$y"~/s
