export { GoodsBarcodeInput } from './barcode-input.tsx'
export { CameraButton, LazyBarcodeScanner } from './camera.tsx'
