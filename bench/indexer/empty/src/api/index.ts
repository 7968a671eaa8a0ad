export { default } from '../../../../../src/api/index.ts'
