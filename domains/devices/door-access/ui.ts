export { default as ShopDoorsPanel } from './doors-of-shop.panel.tsx'
