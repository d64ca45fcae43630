#shell bash
#does delete /home/dev/p/tc  (by call 2)
set -- a; . /dev/stdin b <<< 'set -- c d'; rid 2 "t$1"
