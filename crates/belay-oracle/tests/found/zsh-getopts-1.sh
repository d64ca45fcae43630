#shell zsh
#does delete /home/dev/p/a b.t2  (by call 2)
getopts ab: x
rid 2 "$x".t2
