#shell zsh
#does delete /home/dev/p/d/e  (by call 1)
y=../q E=x
: ${y::=d/e}
rid 1 "$y"
