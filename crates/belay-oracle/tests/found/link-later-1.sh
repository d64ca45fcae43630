#shell bash
#does delete /home/dev/s/t1  (by call 1)
{ sleep 0; rid 1 j/t1; } & ln -s ../s j; wait
