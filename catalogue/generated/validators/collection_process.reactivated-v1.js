// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.
export function validate(data){{if(data && typeof data == "object" && !Array.isArray(data)){if((data.number === undefined)){return false;}else {if(data.number !== undefined){if(typeof data.number !== "string"){return false;}}}}else {return false;}}return true;}
