import { createResourcePage } from '#kit/web/page/page.tsx'
import { programVersionCells } from './version-cells.tsx'
import { cashRegisterClientVersion } from './versions.resource.ts'

export default createResourcePage(cashRegisterClientVersion, {
  intro: {
    zh: '收银机程序的版本：先给一部分收银机，没问题再放开比例',
    en: 'Register program releases. Release to some registers first, then raise the percentage.',
  },
  cells: programVersionCells,
})
