#shell bash
#does delete /home/dev/p/b  (by call 1)
x=a; f() { local x; export x; }; x=b f; rid 1 "$x"
