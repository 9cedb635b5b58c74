export { default as DoorsOfShop } from './doors-of-shop.panel.tsx'
