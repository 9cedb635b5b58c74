import { defineDict } from '#kit/resource/index.ts'

export const orgCategoryDictionary = defineDict({
  code: 'org_category',
  label: { zh: '部门类型', en: 'Department type' },
  entries: [
    { key: '1', zh: '公司', en: 'Company', colour: 'geekblue' },
    { key: '2', zh: '部门', en: 'Department', colour: 'purple' },
    { key: '3', zh: '小组', en: 'Group' },
  ],
})

export const postCategoryDictionary = defineDict({
  code: 'post_category',
  label: { zh: '岗位类型', en: 'Position type' },
  entries: [
    { key: '1', zh: '高层', en: 'Top management' },
    { key: '2', zh: '中层', en: 'Middle management' },
    { key: '3', zh: '基层', en: 'Staff' },
    { key: '4', zh: '其他', en: 'Other' },
  ],
})
