// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.
export function validate(data){{if(data && typeof data == "object" && !Array.isArray(data)){if((data.file_reference === undefined)){return false;}else {if(data.file_reference !== undefined){if(typeof data.file_reference !== "string"){return false;}}}}else {return false;}}return true;}
