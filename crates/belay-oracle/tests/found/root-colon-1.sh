#shell bash
#does delete /a:/home/dev/s  (by call 3)
cd /; rid 3 a:/home/dev/s
