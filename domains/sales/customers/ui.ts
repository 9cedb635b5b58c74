export { ActionDrawer } from './action-drawer.tsx'
export { BlockDialog } from './block-dialog.tsx'
