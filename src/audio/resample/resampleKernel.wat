;; The inner loop of the resampler. Its binary stands in resampleKernel.ts, in base64; after a change:
;;   npx --package=wabt wat2wasm resampleKernel.wat --output=kernel.wasm && base64 --wrap=100 kernel.wasm
;;
;; Addresses and steps are in bytes; the table of the filter starts at address 0. There are four sums of four lanes instead of
;; one, since an addition takes longer than the loads beside it.
(module
  (memory (export "memory") 1)
  (func (export "run")
    ;; Addresses to read and write, then the constants of the filter.
    (param $input i32) (param $row i32) (param $output i32) (param $outputEnd i32)
    (param $rowBytes i32) (param $wrapBytes i32) (param $inputStep i32) (param $rowStep i32)
    (local $x i32) (local $h i32) (local $rowEnd i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (loop $frames
      (local.set $sum0 (v128.const i64x2 0 0))
      (local.set $sum1 (v128.const i64x2 0 0))
      (local.set $sum2 (v128.const i64x2 0 0))
      (local.set $sum3 (v128.const i64x2 0 0))
      (local.set $x (local.get $input))
      (local.set $rowEnd (i32.add (local.tee $h (local.get $row)) (local.get $rowBytes)))
      ;; do { sums += x[0..16] * h[0..16]; x += 16; h += 16 } while (h < rowEnd)
      (loop $taps
        (local.set $sum0 (f32x4.add (local.get $sum0)
          (f32x4.mul (v128.load (local.get $x)) (v128.load (local.get $h)))))
        (local.set $sum1 (f32x4.add (local.get $sum1)
          (f32x4.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $h)))))
        (local.set $sum2 (f32x4.add (local.get $sum2)
          (f32x4.mul (v128.load offset=32 (local.get $x)) (v128.load offset=32 (local.get $h)))))
        (local.set $sum3 (f32x4.add (local.get $sum3)
          (f32x4.mul (v128.load offset=48 (local.get $x)) (v128.load offset=48 (local.get $h)))))
        (local.set $x (i32.add (local.get $x) (i32.const 64)))
        (br_if $taps
          (i32.lt_u (local.tee $h (i32.add (local.get $h) (i32.const 64))) (local.get $rowEnd))))
      (local.set $sum0 (f32x4.add
        (f32x4.add (local.get $sum0) (local.get $sum1))
        (f32x4.add (local.get $sum2) (local.get $sum3))))
      (f32.store (local.get $output) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $sum0)) (f32x4.extract_lane 1 (local.get $sum0)))
        (f32.add (f32x4.extract_lane 2 (local.get $sum0)) (f32x4.extract_lane 3 (local.get $sum0)))))
      (local.set $input (i32.add (local.get $input) (local.get $inputStep)))
      ;; The row after the last one is the first one, of the next input frame.
      (if (i32.ge_u (local.tee $row (i32.add (local.get $row) (local.get $rowStep))) (local.get $wrapBytes))
        (then
          (local.set $row (i32.sub (local.get $row) (local.get $wrapBytes)))
          (local.set $input (i32.add (local.get $input) (i32.const 4)))))
      (br_if $frames
        (i32.lt_u (local.tee $output (i32.add (local.get $output) (i32.const 4))) (local.get $outputEnd))))))
