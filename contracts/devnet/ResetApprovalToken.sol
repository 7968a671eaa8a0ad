// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DemoToken} from "./DemoToken.sol";

/// @notice A token that refuses to change an allowance that is not zero, as some widely held ones do.
contract ResetApprovalToken is DemoToken {
    error ApprovalNotReset(address spender, uint256 allowance);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) DemoToken(name_, symbol_, decimals_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        uint256 current = allowance(msg.sender, spender);
        if (amount != 0 && current != 0) revert ApprovalNotReset(spender, current);
        return super.approve(spender, amount);
    }
}
