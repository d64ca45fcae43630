#shell bash
#does delete /home/dev/p/d/d/a:/home/dev/s/t2  (by call 2)
ln -s d j; cd j
cd d && read -rs y <<< a:~/s
rid 2 "$y"/t2
