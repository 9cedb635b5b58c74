export { CustomerFormDialog } from './action-drawer.tsx'
export { BlockDialog } from './block-dialog.tsx'
