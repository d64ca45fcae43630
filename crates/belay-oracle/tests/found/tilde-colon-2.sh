#shell bash
#does delete /home/dev/p/a:/home/dev/s  (by call 1)
f() { local x; y=${x-a:~/s}; rid 1 "$y"; }
f
