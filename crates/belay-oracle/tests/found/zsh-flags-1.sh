#shell zsh
#does delete /home/dev/p/569Xf  (by call 2)
y="$-"
rid 2 "$y"
