export { GoodsBarcodeInput } from './barcode-input.tsx'
export { CameraButton, Scanner } from './camera.tsx'
