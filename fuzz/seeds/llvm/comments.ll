; a comment
;

  ; .version 9.0
%t = type { i32 }
