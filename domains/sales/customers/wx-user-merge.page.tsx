import { createResourcePage } from '#kit/web/page/page.tsx'
import { wxUserMerge } from './wx-user-merge.resource.ts'

const intro = {
  zh: '把同一个人的两个账户合成一个；两边的流水都保留，来源账户关闭',
  en: 'Merges two accounts of the same person. Both histories are kept. The source account is closed.',
}

export default createResourcePage(wxUserMerge, { intro })
