export { loadPictureReader } from './barcode-reader.ts'
