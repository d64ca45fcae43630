#shell zsh
#does delete /home/dev/p/d/t1  (by call 1)
rid 1 j/t1 & ln -s d j; wait
