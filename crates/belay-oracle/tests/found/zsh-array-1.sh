#shell zsh
#does delete /home/dev/p/dd a.t1  (by call 1)
y=d y=(d"$y" a)
rid 1 "${y%e}".t1
