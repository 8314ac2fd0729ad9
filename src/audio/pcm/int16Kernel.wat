;; Converts samples to 16-bit integers. Its binary stands in int16Kernel.ts, in base64; after a change:
;;   npx --package=wabt wat2wasm int16Kernel.wat --output=kernel.wasm && base64 --wrap=100 kernel.wasm
;;
;; Addresses are in bytes. Eight samples at a time: value = sample * 2^15, rounded to floor(value) or, from a half on, to the
;; next integer. The sum with a half would itself be rounded, and would be one too many just below a half. The conversion to
;; integers makes 0 of NaN, and both steps of it saturate.
(module
  (memory (export "memory") 1)
  (func $rounded (param $value v128) (result v128)
    (local $floor v128)
    (local.set $value (f32x4.mul (local.get $value) (v128.const f32x4 32768 32768 32768 32768)))
    (local.set $floor (f32x4.floor (local.get $value)))
    ;; True is -1.
    (i32x4.sub
      (i32x4.trunc_sat_f32x4_s (local.get $floor))
      (f32x4.ge (f32x4.sub (local.get $value) (local.get $floor)) (v128.const f32x4 0.5 0.5 0.5 0.5))))
  (func (export "run") (param $samples i32) (param $end i32) (param $values i32)
    (loop $next
      (v128.store (local.get $values) (i16x8.narrow_i32x4_s
        (call $rounded (v128.load (local.get $samples)))
        (call $rounded (v128.load offset=16 (local.get $samples)))))
      (local.set $values (i32.add (local.get $values) (i32.const 16)))
      (br_if $next (i32.lt_u
        (local.tee $samples (i32.add (local.get $samples) (i32.const 32)))
        (local.get $end))))))
