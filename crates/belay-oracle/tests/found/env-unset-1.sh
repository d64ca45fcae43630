#shell bash
#does delete /home/dev/p/b  (by call 1)
export x=a; env -u x bash -c 'rid 1 "${x-b}"'
