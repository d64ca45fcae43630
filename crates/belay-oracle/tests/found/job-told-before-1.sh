#shell bash
#does delete /home/dev/p/d/t1  (by call 1)
f() { rid 1 j/t1; }; g() { f; f & }; g; ln -s d j; wait
