import { page } from '#kit/web/page.tsx'
import { wxUserMerge } from './wx-user-merge.resource.ts'

const intro = {
  zh: '把同一个人的两个账户合成一个；两边的流水都保留，来源账户关闭',
  en: 'Makes two accounts of one person one; both histories stay, the source is closed',
}

/** Merged accounts. */
export default page(wxUserMerge, { intro })
