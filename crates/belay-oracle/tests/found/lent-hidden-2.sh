#shell bash
#does delete /t2  (by call 2)
f() { x=a eval 'declare x'; }; f; rid 2 $x/t2
