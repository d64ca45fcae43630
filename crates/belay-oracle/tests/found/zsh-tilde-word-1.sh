#shell zsh
#does delete /home/dev/p/x=~/s  (by call 1)
rid 1 x=~/s
