#shell bash
#does delete /home/dev/p/a  (by call 1)
x=b; trap 'x=a' TERM; kill $$; rid 1 "$x"
